package record

import _ "embed" // the schema

//go:embed run.schema.json
var schemaText string

// SchemaText is the JSON schema of the document, of the draft 2020-12.
func SchemaText() string { return schemaText }
