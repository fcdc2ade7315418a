package toolexec

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/canon"
)

// instanceDomain separates the fingerprint of a tool instance from other
// hashes.
const instanceDomain = "agent-studio/instance/v1"

// fill takes the server-managed values from the scope and fixes the instance
// fingerprint.
func (d *Preparer) fill(_ context.Context, p *Prepared) error {
	p.Filled = map[string]string{}
	members := make([]canon.Member, 0, len(p.Tool.Managed))
	for _, m := range p.Tool.Managed {
		value := filledFrom(p, m.Source)
		p.Filled[m.Name] = value
		members = append(members, canon.Member{Name: m.Name, Value: canon.String(value)})
	}
	var err error
	if p.FilledBytes, err = objectBytes(members...); err != nil {
		return fmt.Errorf("server-filled values of %s: %w", p.Tool.Name, err)
	}
	p.Fingerprint, err = d.fingerprint(p.Tool)
	return err
}

func filledFrom(p *Prepared, source hosttools.Source) string {
	switch source {
	case hosttools.SourceTenant:
		return p.Scope.Tenant
	case hosttools.SourceCaller:
		return p.Scope.User
	case hosttools.SourceAgent:
		return p.Agent.ID
	default:
		return ""
	}
}

// fingerprint is the hash over what the tool instance is. It survives restarts
// and differs as soon as the instance would be another one.
func (d *Preparer) fingerprint(tool *hosttools.Descriptor) ([32]byte, error) {
	bytes, err := objectBytes(
		canon.Member{Name: "slug", Value: canon.String(tool.Slug)},
		canon.Member{Name: "method", Value: canon.String(tool.Method)},
		canon.Member{Name: "version", Value: canon.String(d.version(tool))},
		canon.Member{Name: "schema", Value: canon.String(hex.EncodeToString(tool.SchemaHash[:]))},
	)
	if err != nil {
		return [32]byte{}, fmt.Errorf("fingerprint of %s: %w", tool.Name, err)
	}
	return canon.Hash(instanceDomain, bytes), nil
}

// version returns the toolkit's version, or the host's build.
func (d *Preparer) version(tool *hosttools.Descriptor) string {
	if tool.ToolkitVersion != "" {
		return tool.ToolkitVersion
	}
	return "build:" + d.config.Build
}

func objectBytes(members ...canon.Member) ([]byte, error) {
	object, err := canon.ObjectOf(members...)
	if err != nil {
		return nil, err
	}
	return canon.Bytes(object)
}
