package kind

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Columns that many kinds share. They are never modified.
var (
	NameColumn = metav1.TableColumnDefinition{
		Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"],
	}
	AgeColumn = metav1.TableColumnDefinition{
		Name: "Age", Type: "string", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"],
	}
	ContainersColumn = metav1.TableColumnDefinition{
		Name: "Containers", Type: "string", Priority: 1, Description: "Names of each container in the template.",
	}
	ImagesColumn = metav1.TableColumnDefinition{
		Name: "Images", Type: "string", Priority: 1, Description: "Images referenced by each container in the template.",
	}
)

// ContainerCells returns the cells under ContainersColumn and ImagesColumn: "web,log" and
// "nginx:1,busybox".
func ContainerCells(containers []corev1.Container) (names, images string) {
	var n, i []string
	for _, c := range containers {
		n, i = append(n, c.Name), append(i, c.Image)
	}
	return strings.Join(n, ","), strings.Join(i, ",")
}

// CreatedColumns and CreatedRow print kinds without columns of their own.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/rest/table.go, defaultTableConvertor.ConvertToTable
var CreatedColumns = []metav1.TableColumnDefinition{
	NameColumn,
	{Name: "Created At", Type: "date", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]},
}

// CreatedRow returns the cells under CreatedColumns.
func CreatedRow(o object.Object, _ time.Time) []any {
	created := o.GetCreationTimestamp()
	return []any{o.GetName(), created.UTC().Format(time.RFC3339)}
}
