// Package hosttoolstest is the conformance suite that a host runs on its own
// toolkits. One test is enough:
//
//	func TestToolkitsConform(t *testing.T) {
//		shop := openShop(t) // on a test database with orders of two tenants
//		hosttoolstest.Run(t, hosttools.NewRegistry(shop.Host()),
//			hosttoolstest.Tenants("acme", "globex"),
//			hosttoolstest.Args("fs_get_order", map[string]any{"order_id": "A-1002"}),
//			hosttoolstest.Config("fs_orders", map[string]any{"api_key": "of the test system"}),
//		)
//	}
//
// Every check of every toolkit and method is a subtest, so that a host can see
// and repeat exactly what fails, and each failure says what to change:
//
//	--- FAIL: TestToolkitsConform/isolation/fs_get_order
//	    Both tenants see {"order_id":"A-1002","customer":"Marta Weiss"}.
//	        fix: Take the tenant from a hosttools.TenantID field and start every query from it. …
//
// The checks, in their order: registered, described, call (an ordinary call
// works), gate, bound, construction, lifecycle, approval, isolation, tenant
// (never an argument), results, secrets, robustness, cancellation, concurrency.
// Calls go through the Studio's own door, package toolexec.
//
// Reads are run, writes only with [Writes]. Run it with -race, which is what
// finds most faults of concurrency. What the suite cannot know: whether a
// method declared to be a read writes, what a constructor already did at
// registration and does alike each time, and, on systems without /proc, whether
// files are left open.
package hosttoolstest
