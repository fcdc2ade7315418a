package hostjwt

import "math/big"

// guessable reports an RSA modulus of the kind that some chips made until 2017
// (CVE-2017-15361, "ROCA"), whose factors can be found. Modulo each small prime
// such a modulus is a power of 65537. Of others, one in some hundred million is so
// by chance.
func guessable(modulus *big.Int) bool {
	const generator, largest = 65537, 167
	remainder := new(big.Int)
	for prime := int64(3); prime <= largest; prime += 2 {
		if !big.NewInt(prime).ProbablyPrime(0) {
			continue
		}
		rest := remainder.Mod(modulus, big.NewInt(prime)).Int64()
		power, found := int64(1), false
		for range prime {
			found = found || power == rest
			power = power * generator % prime
		}
		if !found {
			return false
		}
	}
	return true
}
