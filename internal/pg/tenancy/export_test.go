package tenancy

import "context"

// Abandon ends the session that holds the database, as the end of its process does.
func (d *Database) Abandon(ctx context.Context) error { return d.held.Close(ctx) }

// Name is the database's name.
func (d *Database) Name() string { return d.name }

// SpareName is the name of the spare database.
func (r Recipe) SpareName() (string, error) { return r.spareName() }
