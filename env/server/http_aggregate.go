package server

import (
	"encoding/json"
	"net/http"
)

// aggregateMetrics answers what agents ask at the end of a collection: the mean of each number over the verdicts.
func (s *Server) aggregateMetrics(_ http.Header, r *http.Request) (gymReply, error) {
	fields, err := s.readFields(r)
	if err != nil {
		return gymReply{}, err
	}
	sums, counts := make(map[string]float64), make(map[string]int)
	err = readEach("verify_responses", fields["verify_responses"], func(verdict *map[string]any) error {
		for name, field := range *verdict {
			if n, ok := number(field); ok && name[:min(len(name), 1)] != "_" {
				sums[name] += n
				counts[name]++
			}
		}
		return nil
	})
	if err != nil {
		return gymReply{}, err
	}
	means := make(map[string]float64, len(sums))
	for name, sum := range sums {
		means["mean/"+name] = sum / float64(counts[name])
	}
	body, err := json.Marshal(map[string]any{"agent_metrics": means, "key_metrics": means, "group_level_metrics": []any{}})
	return gymReply{body: body}, err
}

// number reads what can be averaged: a number, or a flag as 0 or 1.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}
