package main

import "runtime/debug"

// release is the version of this source tree; a build from a tagged module says its tag instead.
const release = "0.1.0"

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release
}
