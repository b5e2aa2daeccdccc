// Package app holds the use cases of the platform, one file each: what people and programs
// can ask for. A use case reads, decides and writes in one transaction of the Store, and
// only the pure packages that it calls know the rules. It declares what it needs of the
// world: Store, Entropy, Clock.
package app
