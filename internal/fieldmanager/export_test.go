package fieldmanager

var (
	Quickly = quickly
	Slowly  = slowly
)
