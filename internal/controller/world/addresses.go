package world

import (
	"context"
	_ "embed"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rowlock/rowlock/internal/mirror"
)

//go:embed addresses.sql
var sqlAddresses string

const (
	addressBlock = 512 // how many addresses are drawn at a time
	// firstAddress is 10.128.0.0: Pods have the upper half of 10.0.0.0/8, Services are in the lower
	// half.
	firstAddress = 10<<24 | 128<<16
)

// Addresses assigns Pod addresses. Numbers come in blocks from a database sequence, so that no two
// processes have the same; after eight million they repeat, and those still in use are skipped. It
// must observe the mirror: a database that was set back, as by a failover that loses the last
// changes, gives the numbers of a block again (S12). Safe for concurrent use.
type Addresses struct {
	pool *pgxpool.Pool

	mu   sync.Mutex
	free []uint32
}

// NewAddresses makes an Addresses without a block.
func NewAddresses(pool *pgxpool.Pool) *Addresses { return &Addresses{pool: pool} }

var _ mirror.Observer = (*Addresses)(nil)

// Reset implements mirror.Observer: it drops the block, as others may get the same numbers from now
// on.
func (a *Addresses) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free = nil
}

// Observe implements mirror.Observer.
func (a *Addresses) Observe(mirror.Event) {}

// Next returns an address that no Pod of the view has. It is empty if the database does not give a
// new block within a second: the Pod then waits for another sync. Once per block it blocks for that
// one query, with the mirror held.
func (a *Addresses) Next(v mirror.View) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		if len(a.free) == 0 {
			if err := a.draw(); err != nil {
				return ""
			}
		}
		n := a.free[0]
		a.free = a.free[1:]
		address := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}).String()
		if last := byte(n); last == 0 || last == 255 || v.EachIn(mirror.PodsByAddress, address, nil) > 0 {
			continue // many tools take it for a network or broadcast address, or it is in use
		}
		return address
	}
}

func (a *Addresses) draw() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var numbers []int32
	if err := a.pool.QueryRow(ctx, sqlAddresses, addressBlock).Scan(&numbers); err != nil {
		return fmt.Errorf("draw addresses: %w", err)
	}
	for _, n := range numbers {
		a.free = append(a.free, firstAddress+uint32(n))
	}
	return nil
}
