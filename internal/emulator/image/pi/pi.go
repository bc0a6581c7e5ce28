// Package pi computes digits of π by Chudnovsky's series, in integers.
package pi

import (
	"math/big"
	"strings"
)

// MaxDigits is the most digits that Digits returns.
const MaxDigits = 10_000

// guard is the number of extra digits, so that the rounding of divisions does not reach the
// requested digits.
const guard = 16

// Digits returns π with n significant digits, the last one rounded: "3" for 1, "3.142" for 4. For n
// below 1 or above MaxDigits it returns "".
//
// Source: D. and G. Chudnovsky, 1988: 1/π = 12 Σ (−1)^k (6k)! (13591409 + 545140134k) / ((3k)! (k!)³ 640320^(3k+3/2)).
func Digits(n int) string {
	if n < 1 || n > MaxDigits {
		return ""
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n-1+guard)), nil)
	terms := int64(n+guard)/14 + 1 // each gives 14.18 digits
	_, q, t := split(0, terms)

	// π = 426880 √10005 Q / T
	root := new(big.Int).Mul(big.NewInt(10005), scale)
	root.Mul(root, scale).Sqrt(root)
	value := root.Mul(root, big.NewInt(426880))
	value.Mul(value, q).Quo(value, t)

	cut := new(big.Int).Exp(big.NewInt(10), big.NewInt(guard), nil)
	value.Add(value, new(big.Int).Quo(cut, big.NewInt(2))).Quo(value, cut)
	digits := value.String()
	return strings.TrimSuffix(digits[:1]+"."+digits[1:], ".")
}

// split sums the terms from a to b, exclusive, as fractions: the sum is T / Q, and P is the product
// of the ratios.
func split(a, b int64) (p, q, t *big.Int) {
	if b-a > 1 {
		m := (a + b) / 2
		p1, q1, t1 := split(a, m)
		p2, q2, t2 := split(m, b)
		t1.Mul(t1, q2)
		t2.Mul(t2, p1)
		return p1.Mul(p1, p2), q1.Mul(q1, q2), t1.Add(t1, t2)
	}
	p, q = big.NewInt(1), big.NewInt(1)
	if a > 0 {
		p.SetInt64(-(6*a - 5)).Mul(p, big.NewInt((2*a-1)*(6*a-1)))
		q.SetInt64(a*a*a).Mul(q, big.NewInt(10939058860032000)) // 640320³ / 24
	}
	return p, q, new(big.Int).Mul(p, big.NewInt(13591409+545140134*a))
}
