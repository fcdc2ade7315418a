// Package hosttools is what a host writes: its tools, and the registry that
// offers them to the Studio.
//
// # A first toolkit
//
// A toolkit is a group of typed methods; a [Tool] is one method that stands
// alone. Schemas come from the Go types, so they cannot disagree with the code:
//
//	type CancelIn struct {
//		Tenant  hosttools.TenantID `json:"-"` // filled by the server
//		OrderID string             `json:"order_id" jsonschema:"id of the order, such as A-1002"`
//		Reason  string             `json:"reason" jsonschema:"why, in the customer's words"`
//	}
//
//	func New() (hosttools.Entry, error) {
//		t := &Orders{}
//		return hosttools.Toolkit{
//			Prefix:      "fs",
//			Title:       "Orders",
//			Description: "Look at orders and change them.",
//			Methods: []hosttools.Method{
//				hosttools.NewMethod("cancel_order", "Cancel a pending order.", t.Cancel,
//					hosttools.Consequential(), hosttools.Verb("Cancel an order")),
//			},
//		}, nil
//	}
//
// Models and MCP clients see this method as fs_cancel_order. What a host does
// not declare to be a read is a write, and a write runs only after a person
// approved exactly that call. The example of [NewRegistry] is a whole toolkit
// with reads, a write and a configuration.
//
// A field's description, bounds, format, enum, default and examples are in its
// tags. A field is required unless it is a pointer, may be omitted or has a
// default. Untyped values are refused: no any, no map of any. [OneOf] declares
// what an interface may hold, and [InputSchema] gives a method a schema that a
// host wrote itself.
//
// # The registry
//
// There are two ways in, and a file for both:
//
//   - [NewRegistry] keeps the good entries, logs each refused one once, and
//     lists them in [Registry.Rejections]. One bad entry never stops the others.
//   - [MustRegistry] is for the wiring of a program: it panics with all that is
//     wrong.
//   - [ParseHost] reads the file toolkits.yaml and returns the same [Host] as
//     the program would write, so that a rejection names the line.
//
// Entries are taken in the order built in, packaged, host, legacy; within each
// by slug. The first one keeps its slug and the names that models see, in any
// case, and a later one is refused with both named: nothing is ever shadowed.
// A host's slugs start with its prefix ("fs_"), and its toolkits have that
// prefix without the underscore ("fs"). The registry is read-only afterwards,
// and may be used from any goroutine.
//
// A host that declares no slugs yet can list its constructors in Host.Legacy.
// They are host code in every respect, with the origin [OriginWalk].
//
// # Configuration
//
// Toolkit.Config points to a struct, a new one of each construction. Its type
// is the form in which people set the toolkit up for an agent, with the same
// tags as an input. Before Open it holds, the first that is there: what people
// set, the host's default from Host.Config, the default of the type, what the
// constructor put there. A [Secret] is stored encrypted, shown masked, taken
// out of results, and prints as ***. Toolkit.Options computes choices from what
// is set so far.
//
// # What the server fills
//
// A server-managed value has one of five sources, declared by its type:
//
//	type        source  filled from                  where
//	Server[T]   server  the constructor              Config
//	App[T]      app     Host.App, by the tag key     Config
//	TenantID    tenant  the bound scope, each call   input of a method
//	CallerID    caller  the bound scope, each call   input of a method
//	AgentID     agent   the bound scope, each call   input of a method
//
// The last three are in no schema, and make the whole toolkit tenant-bound. The
// first two are marked in the form. A value that a client sends for any of them
// is refused, and so is a tenant in any spelling. A type in the wrong place is
// refused at registration: callers share an instance, so its configuration can
// hold nothing of one of them.
//
// # The gate
//
// A tenant-bound toolkit works for one tenant: it declares TenantBound, or a
// method has a field that the scope fills. Open, each call and each computation
// of choices begins with the scope gate, whoever makes it. Without a valid scope
// it returns an error with the code tool_scope_unavailable and one of the
// reasons no_context, no_scope, no_tenant, agent_tenant_unset and
// tenant_mismatch, and nothing of the host runs. A host whose own record turns
// out to be another tenant's returns [HostTenantMismatch].
//
// A tenant-bound toolkit cannot be run by an [Executor], since outside of this
// process nothing guards its tenant.
//
// # Instances
//
// One instance serves the calls of one tenant with one configuration, many at
// once; it is opened lazily, once, and closed when idle. So methods guard what
// they share, keep nothing of a caller, and never start what Close does not
// end. A constructor must not acquire anything: it also runs at registration,
// many times at once, and with nobody's scope. One that panics, hangs or ends
// its goroutine is refused.
//
// # Results
//
// Results are structs, so that models know what to expect. A list is a [Page],
// bounded by [Rows] in the input and marked where it was cut. Results enter the
// model's context: they must hold no secrets and nothing of other tenants. The
// Studio cuts what is too large, and takes out what looks like a secret.
//
// # Transactional toolkits
//
// A toolkit whose tables are in the Studio's database can declare itself
// Transactional and write through [Tx]. Then the effect, the approval that it
// spends and the recorded outcome commit together, or not at all. In other
// toolkits a write that ends without saying how has an unknown outcome, which a
// person has to look into.
//
// # Errors
//
// An [Error] is the tool's own refusal, shown to people and models as it is; its
// effect must be nothing. Any other error is logged, and answered in general
// words. Arguments that do not decode are an [ArgumentsError]; the schema is
// meant to catch those before.
package hosttools
