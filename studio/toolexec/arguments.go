package toolexec

import (
	"context"
	"slices"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/studio/canon"
	"github.com/agentstudio/agentstudio/studio/schema"
)

// argumentsDomain separates the hash of arguments from every other hash.
const argumentsDomain = "agent-studio/arguments/v1"

// arguments parses strictly, refuses server-managed names, validates, adds
// defaults, and fixes the canonical bytes and their hash.
func (d *Preparer) arguments(ctx context.Context, p *Prepared) error {
	object, err := parsed(p.Request)
	if err != nil {
		return err
	}
	object, err = d.withoutManaged(ctx, p, object)
	if err != nil {
		return err
	}
	normal, issues := d.schemas[p.Tool].Normalise(object)
	if len(issues) > 0 {
		return invalid(issues)
	}
	return fixBytes(p, normal)
}

func parsed(r Request) (canon.Value, error) {
	if r.Arguments != nil {
		return *r.Arguments, nil
	}
	value, err := canon.Parse(r.Raw)
	if err != nil {
		return canon.Value{}, models.Errorf(models.CodeInvalidArgs, "The arguments are not a JSON object: %v", err).Because(err)
	}
	return value, nil
}

// withoutManaged refuses server-managed names from a client. From a model they
// are dropped with one warning.
func (d *Preparer) withoutManaged(ctx context.Context, p *Prepared, object canon.Value) (canon.Value, error) {
	if object.Kind() != canon.KindObject {
		return canon.Value{}, invalid([]schema.Issue{{Pointer: "", Message: "must be an object with named arguments"}})
	}
	var sent []string
	kept := make([]canon.Member, 0, object.Len())
	for _, member := range object.Members() {
		if p.Tool.IsManaged(member.Name) {
			sent = append(sent, member.Name)
			continue
		}
		kept = append(kept, member)
	}
	if len(sent) == 0 {
		return object, nil
	}
	slices.Sort(sent)
	if p.Request.Channel != ChannelChat {
		return canon.Value{}, models.Errorf(models.CodeServerManaged,
			"The server fills these arguments itself; leave them out.").With("params", sent)
	}
	p.Dropped = sent
	d.config.Logger.WarnContext(ctx, "dropped server-managed arguments of a model", "tool", p.Tool.Name, "params", sent)
	return canon.ObjectOf(kept...)
}

// invalid returns the error for issues, with a sentence that names them.
func invalid(issues []schema.Issue) error {
	return models.Errorf(models.CodeInvalidArgs, "The arguments do not fit: %s.", schema.Sentence(issues)).
		With("issues", issues)
}

// fixBytes checks the values against the Go types, and keeps the bytes that are
// shown, hashed and run.
func fixBytes(p *Prepared, value canon.Value) error {
	bytes, err := canon.Bytes(value)
	if err != nil {
		return models.Errorf(models.CodeInvalidArgs, "The arguments cannot be written down exactly.").Because(err)
	}
	if p.Write() { // A read decodes in a moment, before anybody approved it.
		if err := p.Tool.Decodes(bytes); err != nil {
			return outside(p.Tool, err)
		}
	}
	p.Arguments = bytes
	p.ArgumentsHash = ArgumentsHash(bytes)
	return nil
}

// outside refuses arguments that fit the schema and not the Go types.
func outside(tool *hosttools.Descriptor, err error) error {
	return models.Errorf(models.CodeInvalidArgs, "An argument is outside of what %s can hold.", tool.Name).Because(err)
}

// ArgumentsHash is the hash of canonical arguments.
func ArgumentsHash(canonical []byte) [32]byte { return canon.Hash(argumentsDomain, canonical) }
