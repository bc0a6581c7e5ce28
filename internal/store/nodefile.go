package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/internal/plan"
)

// Place is a file or directory of a node.
type Place struct {
	Node, Path string
}

// NodeFiles reads the files at and below places, ordered by node and path, in conn's open
// transaction.
func (s *Store) NodeFiles(ctx context.Context, conn *pgx.Conn, places []Place) ([]plan.File, error) {
	nodes, paths := make([]string, len(places)), make([]string, len(places))
	for i, p := range places {
		nodes[i], paths[i] = p.Node, p.Path
	}
	rows, err := conn.Query(ctx, sqlNodeFiles, nodes, paths)
	if err != nil {
		return nil, fmt.Errorf("store: read files of nodes: %w", err)
	}
	files, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (f plan.File, err error) {
		var mode, uid, gid int32
		err = row.Scan(&f.Node, &f.Path, &mode, &uid, &gid, &f.Data)
		f.Mode, f.UID, f.GID = uint32(mode), int(uid), int(gid)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("store: read files of nodes: %w", err)
	}
	return files, nil
}

// fileRows are the files of nodes that a batch writes or removes.
type fileRows struct {
	node, path []string
	mode       []*int32 // nil for a removed file
	uid, gid   []int32
	content    [][]byte
}

// Keep writes or removes a file of a node.
func (b *Batch) Keep(f plan.File) {
	var mode *int32
	if !f.Removed {
		mode = new(int32(f.Mode))
	}
	data := f.Data
	if data == nil {
		data = []byte{}
	}
	n := &b.files
	n.node, n.path, n.mode = append(n.node, f.Node), append(n.path, f.Path), append(n.mode, mode)
	n.uid, n.gid, n.content = append(n.uid, int32(f.UID)), append(n.gid, int32(f.GID)), append(n.content, data)
}

func (r *fileRows) args() arguments {
	return arguments{{"_node", r.node}, {"_path", r.path}, {"_mode", r.mode}, {"_uid", r.uid}, {"_gid", r.gid}, {"_content", r.content}}
}
