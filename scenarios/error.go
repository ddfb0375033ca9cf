package scenarios

import "github.com/graspkit/graspkit/internal/yamlfile"

// An Error says what is wrong with a scenario file, where, and what to do about it.
type Error = yamlfile.Error
