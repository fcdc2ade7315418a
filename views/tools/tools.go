// Package tools shows the catalogue: every toolkit of the host, what its methods may do, and
// those that were not accepted, with the reason and the fix.
package tools

import (
	"github.com/agentstudio/agentstudio/views/layout"
)

// View is the catalogue.
type View struct {
	Shell    layout.Shell
	Toolkits []Toolkit
	Rejected []Rejected
}

// Toolkit is one registered toolkit, or a single tool with one method.
type Toolkit struct {
	Slug        string
	Name        string
	Description string
	Source      string // "Host", "Built in", or the name of an MCP server
	Deprecated  string // what the host should do about it; empty when nothing
	Version     string
	TenantBound bool
	UsedBy      []string // names of agents
	Methods     []Method
	Params      []Param // what can be set up, in the host's order
}

// Param is a parameter with which a toolkit is set up.
type Param struct {
	Name    string
	Secret  bool
	Managed bool // filled by the server
}

// Method is one callable.
type Method struct {
	Slug          string // what the model sees: "fs_list_orders"
	Description   string
	Write         bool
	Consequential bool
	Schema        string // JSON Schema of the arguments, indented
}

// Rejected is an entry that was not registered.
type Rejected struct {
	Slug   string
	Reason string
	Fix    string
}

func (t Toolkit) reads() int {
	reads := 0
	for _, method := range t.Methods {
		if !method.Write {
			reads++
		}
	}
	return reads
}
