package main

// Prefixes are a flag that may be given several times: its values stand behind each other with commas between.
type prefixes string

// idUsage is what help says of --id, which selects what a command does something with.
func idUsage(does string) string {
	return does + " whose id begins with `PREFIX`, or with one of several (given again, or with commas between)"
}

// String returns all values.
func (p *prefixes) String() string { return string(*p) }

// Set adds a value.
func (p *prefixes) Set(value string) error {
	if *p != "" {
		value = string(*p) + "," + value
	}
	*p = prefixes(value)
	return nil
}

// Type is what help calls a value without a name.
func (*prefixes) Type() string { return "string" }
