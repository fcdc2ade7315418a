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

// fill takes the server-managed values from the scope, reads how the toolkit is
// set up, and fixes the instance fingerprint.
func (d *Preparer) fill(ctx context.Context, p *Prepared) error {
	if err := d.configured(ctx, p); err != nil {
		return err
	}
	p.Filled = make(map[string]string, len(p.Tool.Managed))
	for _, m := range p.Tool.Managed {
		p.Filled[m.Name] = filledFrom(p, m.Source)
	}
	if !p.Write() {
		return nil // Only what waits for a person is compared later.
	}
	var err error
	if p.FilledBytes, err = filledBytes(p); err != nil {
		return err
	}
	p.Fingerprint, err = d.fingerprint(p)
	return err
}

func filledBytes(p *Prepared) ([]byte, error) {
	members := make([]canon.Member, 0, len(p.Filled))
	for name, value := range p.Filled {
		members = append(members, canon.Member{Name: name, Value: canon.String(value)})
	}
	bytes, err := objectBytes(members...)
	if err != nil {
		return nil, fmt.Errorf("server-filled values of %s: %w", p.Tool.Name, err)
	}
	return bytes, nil
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

// fingerprint is the hash over what the tool instance is: code, schema,
// configuration and credentials. It survives restarts and differs as soon as
// the instance would be another one.
func (d *Preparer) fingerprint(p *Prepared) ([32]byte, error) {
	members := []canon.Member{
		{Name: "slug", Value: canon.String(p.Tool.Slug)},
		{Name: "method", Value: canon.String(p.Tool.Method)},
		{Name: "version", Value: canon.String(d.version(p.Tool))},
		{Name: "schema", Value: canon.String(hex.EncodeToString(p.Tool.SchemaHash[:]))},
	}
	if config := p.Tool.Config; config != nil {
		members = append(members,
			canon.Member{Name: "config_schema", Value: canon.String(hex.EncodeToString(config.Hash[:]))},
			canon.Member{Name: "config", Value: canon.String(string(p.Setting.Params))},
			canon.Member{Name: "config_version", Value: canon.String(p.Setting.Version)})
	}
	bytes, err := objectBytes(members...)
	if err != nil {
		return [32]byte{}, fmt.Errorf("fingerprint of %s: %w", p.Tool.Name, err)
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
