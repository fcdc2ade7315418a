package toolexec

import (
	"context"
	"fmt"
	"time"

	"github.com/agentstudio/agentstudio/hosttools"
	"github.com/agentstudio/agentstudio/models"
	"github.com/agentstudio/agentstudio/tenancy"
)

// open takes the instance that serves the call. The first call constructs and
// opens it, within the deadline.
func (r *Runner) open(ctx context.Context, e *execution) error {
	opened, err := r.acquire(withoutCancel(ctx, e), e.call)
	if err != nil {
		return r.notOpened(ctx, e.call.Tool, err)
	}
	e.instance = opened
	return nil
}

// notOpened says that a tool could not be started. Nothing of it ran.
func (r *Runner) notOpened(ctx context.Context, tool *hosttools.Descriptor, err error) error {
	r.logger.ErrorContext(ctx, "construct or open a tool", "tool", tool.Name, "error", err)
	if models.CodeOf(err) == models.CodeVaultUnavailable {
		return err
	}
	return models.Errorf(models.CodeInstantiationFailed, "The tool %s could not be started. Nothing ran.", tool.Name).Because(err)
}

func (r *Runner) acquire(ctx context.Context, call *Prepared) (*instance, error) {
	key := instanceKey{tenant: call.Scope.Tenant, slug: call.Tool.Slug}
	if call.Tool.Config != nil {
		key.config = call.Setting.Version + "\x00" + string(call.Setting.Params)
	}
	return r.instances.acquire(ctx, key, func(ctx context.Context) (*hosttools.Instance, error) {
		return r.construct(ctx, call)
	})
}

// construct returns an open instance. It is opened for the tenant and not for
// the caller, whom other calls do not have.
func (r *Runner) construct(ctx context.Context, call *Prepared) (*hosttools.Instance, error) {
	var config []byte
	if call.Tool.Config != nil {
		var err error
		if config, err = r.preparer.config.Settings.Reveal(ctx, call.Setting); err != nil {
			return nil, err
		}
	}
	built, err := call.Tool.Construct(config)
	if err != nil {
		return nil, scrub(err, secretsOf(call.Setting, config))
	}
	ctx = openedFor(ctx, call.Scope)
	if err := built.Open(ctx); err != nil {
		return nil, fmt.Errorf("open: %w", scrub(err, built.Secrets()))
	}
	return built, nil
}

// openedFor returns a context of the scope's tenant, and in GLOBAL of none.
func openedFor(ctx context.Context, scope tenancy.Scope) context.Context {
	if scope.IsGlobal() {
		return tenancy.WithoutScope(ctx)
	}
	return tenancy.WithScope(ctx, tenancy.Scope{Tenant: scope.Tenant, Via: tenancy.ViaJob})
}

// release gives the instance back at the end of the call. One whose method
// panicked or was left behind serves no other call; in the second case it is
// closed when the method returns after all, since it may still use it.
func (r *Runner) release(e *execution) {
	switch {
	case e.instance == nil:
	case e.left == nil:
		r.instances.release(e.instance, e.broken)
	default:
		r.instances.spoil(e.instance)
		go func() {
			err := <-e.left // Its call has ended long ago.
			r.logger.WarnContext(context.Background(), "a method that was left behind returned", "tool", e.name(), "error", scrub(err, e.instance.Secrets()))
			r.instances.release(e.instance, true)
		}()
	}
}

// grace is what a running call gets beyond its deadlines before it counts as
// abandoned.
const grace = 10 * time.Second

// start marks a burned call as started. Before the mark a crash means that
// nothing ran; after it the call is never started again.
func (r *Runner) start(ctx context.Context, e *execution) error {
	if e.approval == nil {
		return nil
	}
	start, err := r.approvals.Start(ctx, *e.approval, e.intent, 2*r.limits.Deadline+grace)
	switch {
	case err != nil:
		return err
	case start == StartRunning:
		return ErrRunning
	case start == StartAbandoned:
		return errUnknown(e.call.Tool.Name)
	}
	return nil
}

func errUnknown(tool string) error {
	return models.Errorf(models.CodeOutcomeUnknown,
		"%s was started, and whether it finished is not known. Look before you ask for it again.", tool)
}

// withoutCancel keeps a burned call running when its caller goes away. Reads
// stop with their caller.
func withoutCancel(ctx context.Context, e *execution) context.Context {
	if e.approval == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}
