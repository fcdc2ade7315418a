// Package hosttools is what a host writes: its tools, and the registry that
// offers them to the Studio.
//
// A toolkit is a group of typed methods; schemas come from the Go types, so
// they cannot disagree with the code:
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
//	registry := hosttools.NewRegistry(hosttools.Host{
//		Prefix: "fs_",
//		Tools:  map[string]hosttools.Constructor{"fs_orders": New},
//	})
//
// What a host does not declare to be a read is a write, and a write runs only
// after a person approved exactly that call. A field of type [TenantID],
// [CallerID] or [AgentID] is filled by the server from the scope; it is never
// part of a schema, and it makes the method tenant-bound.
//
// Constructors run once at registration and once for each call. They must not
// acquire anything: what needs opening is opened in Open.
package hosttools
