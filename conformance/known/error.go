package known

import "github.com/graspkit/graspkit/internal/yamlfile"

// An Error says what is wrong with a list of known failures, where, and what to do about it.
type Error = yamlfile.Error
