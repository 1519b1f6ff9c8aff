package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// memory of a process in bytes; zero where the system does not tell.
type memory struct{ resident, peak float64 }

func (m memory) known() bool { return m.peak > 0 }

const mebibyte = 1 << 20

// memoryOf reads what Linux says of a process. Maximum resident size as wait4 tells it would be that of the parent where
// the parent is larger.
func memoryOf(pid int) memory {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return memory{}
	}
	return memory{resident: kibibytes(status, "VmRSS:"), peak: kibibytes(status, "VmHWM:")}
}

// kibibytes reads a line such as "VmRSS:	   15012 kB" as bytes.
func kibibytes(status []byte, name string) float64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+name))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.Atoi(string(fields[0]))
	if err != nil {
		return 0
	}
	return float64(n) * 1024
}

// cpuOf is the time that a process has computed, 0 where the system does not tell. Linux counts it in hundredths of a second.
func cpuOf(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	after := stat[bytes.LastIndexByte(stat, ')')+1:] // the name before it may hold anything
	fields := bytes.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, err1 := strconv.Atoi(string(fields[11]))
	system, err2 := strconv.Atoi(string(fields[12]))
	if err1 != nil || err2 != nil {
		return 0
	}
	return time.Duration(user+system) * time.Second / 100
}

// loadAverage is the one of the last minute, 0 where the system does not tell.
func loadAverage() float64 {
	averages, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	minute, _, _ := bytes.Cut(averages, []byte(" "))
	load, err := strconv.ParseFloat(string(minute), 64)
	if err != nil {
		return 0
	}
	return load
}
