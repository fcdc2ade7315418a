package hosttoolstest

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/studio/toolexec"
	"github.com/agentstudio/agentstudio/tenancy"
)

// errSlow is the failure of a constructor that does not return.
var errSlow = errors.New("the constructor did not return in time")

// constructed returns a new instance, as the door constructs it.
func (s *suite) constructed(ctx context.Context, kit *toolkit) (*hosttools.Instance, error) {
	instances, err := s.several(ctx, kit, 1)
	if err != nil {
		return nil, err
	}
	return instances[0], nil
}

// several returns a number of new instances.
func (s *suite) several(ctx context.Context, kit *toolkit, number int) ([]*hosttools.Instance, error) {
	instances := make([]*hosttools.Instance, number)
	end := contained(ctx, s.construct, func() (err error) {
		for i := range instances {
			if instances[i], err = kit.Methods[0].Construct(kit.config); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case end.late:
		return nil, errSlow
	case end.crash != "":
		return nil, fmt.Errorf("the constructor %s", end.crash)
	default:
		return instances, end.err
	}
}

// open opens an instance for a tenant, as the door does: without a caller.
func (s *suite) open(ctx context.Context, instance *hosttools.Instance, tenant string) ending {
	ctx = tenancy.WithScope(ctx, tenancy.Scope{Tenant: tenant, Via: tenancy.ViaJob})
	return contained(ctx, s.deadline, func() error { return instance.Open(ctx) })
}

func (s *suite) shut(ctx context.Context, instance *hosttools.Instance) ending {
	return contained(ctx, s.deadline, func() error { return instance.Close(ctx) })
}

// invoke calls a method past the door, with what the door prepared.
func (s *suite) invoke(ctx context.Context, instance *hosttools.Instance, call *toolexec.Prepared) error {
	_, err := instance.Call(ctx, call.Tool.Method, call.Arguments, call.Filled)
	return err
}
