package toolexec

import (
	"context"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
)

// resolve finds the tool in the registry. Unknown tools answer not_found.
func (d *Preparer) resolve(_ context.Context, p *Prepared) error {
	tool, ok := d.lookup(p.Request)
	if !ok {
		return models.Errorf(models.CodeNotFound, "There is no such tool. The catalogue lists the ones you can use.")
	}
	p.Tool = tool
	return nil
}

func (d *Preparer) lookup(r Request) (*hosttools.Descriptor, bool) {
	if r.Name != "" {
		return d.config.Registry.Lookup(r.Name)
	}
	return d.config.Registry.Find(r.Slug, r.Method)
}
