package pi

import (
	"math/big"
	"strings"
	"testing"
)

func TestDigits(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{
		-1: "", 0: "", MaxDigits + 1: "",
		1: "3", 2: "3.1", 4: "3.142", 5: "3.1416", 20: "3.1415926535897932385",
		50: "3.1415926535897932384626433832795028841971693993751",
	} {
		if got := Digits(n); got != want {
			t.Errorf("%d digits are %q, want %q", n, got, want)
		}
	}
}

// The 2,000 digits that the Job in the docs prints: 3, the point, and 1,999 more, the last one
// rounded up.
func TestDigits_OfTheJob(t *testing.T) {
	t.Parallel()
	got := Digits(2000)
	if len(got) != 2001 || !strings.HasPrefix(got, "3.14159265358979323846264338327950288419716939937510") || !strings.HasSuffix(got, "39624138908658326459958133904780275901") {
		t.Errorf("%d characters, which end in %q", len(got), got[max(len(got)-20, 0):])
	}
}

// Another formula, Machin's, gives the same digits.
func TestDigits_AsMachin(t *testing.T) {
	t.Parallel()
	const n = 3000
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(n+guard), nil)
	arctan := func(x int64) *big.Int { // of 1/x, times scale
		sum, power := new(big.Int), new(big.Int).Quo(scale, big.NewInt(x))
		for k := int64(1); power.Sign() != 0; k += 2 {
			term := new(big.Int).Quo(power, big.NewInt(k))
			if k%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, big.NewInt(x*x))
		}
		return sum
	}
	value := new(big.Int).Mul(big.NewInt(16), arctan(5))
	value.Sub(value, new(big.Int).Mul(big.NewInt(4), arctan(239)))
	digits := value.String()
	for _, k := range []int{1, 2, 3, 10, 761, 762, 763, 764, 768, 1000, 1999, 2000, 2001, n} { // 762: six nines
		exact, _ := new(big.Int).SetString(digits[:k+1], 10)
		rounded := exact.Add(exact, big.NewInt(5)).Quo(exact, big.NewInt(10)).String()
		want := strings.TrimSuffix(rounded[:1]+"."+rounded[1:], ".")
		if got := Digits(k); got != want {
			t.Errorf("%d digits end in %q, want %q", k, got[max(0, len(got)-20):], want[max(0, len(want)-20):])
		}
	}
}

func BenchmarkDigits(b *testing.B) {
	for b.Loop() {
		Digits(2000)
	}
}
