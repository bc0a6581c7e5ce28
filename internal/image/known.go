package image

// neverTagged are tags that no repository in the catalogue has; "sometag" stands in Kubernetes' own tutorials.
var neverTagged = []string{"sometag", "nonexistent", "does-not-exist", "invalid-tag"}

// Known returns the built-in models. Callers may change what they get.
func Known() []Model {
	sh := []string{"sh"}
	httpd := Model{Cmd: []string{"httpd-foreground"}, Ports: []int32{80}, Paths: []string{"/", "/index.html"}}
	nginx := Model{Cmd: []string{"nginx", "-g", "daemon off;"}, Ports: []int32{80}, Paths: []string{"/", "/index.html"}}
	pause := Model{Entrypoint: []string{"/pause"}, Ports: []int32{}}
	agnhost := Model{Entrypoint: []string{"/agnhost"}, Cmd: []string{"pause"}}

	models := []Model{
		nginx.in("docker.io/library/nginx", "1.161", "1.91"),
		nginx.in("registry.k8s.io/nginx-slim"),
		nginx.in("registry.k8s.io/nginx"),
		nginx.in("registry.k8s.io/e2e-test-images/nginx"),
		httpd.in("docker.io/library/httpd"),
		httpd.in("registry.k8s.io/e2e-test-images/httpd"),
		agnhost.in("registry.k8s.io/e2e-test-images/agnhost"),
		pause.in("registry.k8s.io/pause"),
		Model{Cmd: sh}.in("docker.io/library/busybox"),
		Model{Cmd: sh}.in("registry.k8s.io/e2e-test-images/busybox"),
		Model{Cmd: []string{"/bin/sh"}}.in("docker.io/library/alpine"),
		Model{Cmd: []string{"/bin/bash"}}.in("docker.io/library/ubuntu"),
		Model{Cmd: []string{"bash"}}.in("docker.io/library/debian"),
		Model{Cmd: []string{"perl", "-de0"}}.in("docker.io/library/perl"),
		Model{Cmd: []string{"redis-server"}, Ports: []int32{6379}}.in("docker.io/library/redis"),
		{Repository: "docker.io/library/webserver", Absent: true},
	}
	return models
}

// in is the model for a repository, with the tags that do not exist there besides those that exist nowhere.
func (m Model) in(repository string, missing ...string) Model {
	m.Repository = repository
	m.MissingTags = append(missing, neverTagged...)
	return m
}
