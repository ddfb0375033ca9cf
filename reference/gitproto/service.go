package gitproto

// A Service is one of the two services of git's smart HTTP protocol.
type Service string

// The services that a repository offers.
const (
	UploadPackService  Service = "git-upload-pack"
	ReceivePackService Service = "git-receive-pack"
)
