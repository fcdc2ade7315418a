// Package studio assembles Agent Studio: it is the only place where the domain
// and the store meet. A host describes what it offers in a [Config], calls
// [New], mounts the result with package web, and closes it at the end:
//
//	app, err := studio.New(ctx, studio.Config{
//		Database: "studio.db", Registry: registry, Resolver: resolver, Key: key,
//	})
//	…
//	web.Mount(e, app, web.Config{Prefix: "/studio"})
//	err = app.Start(ctx)
//	defer app.Close()
package studio
