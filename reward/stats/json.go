package stats

import (
	"encoding/json"
	"math"
)

// MarshalJSON writes hits, n, families, value, low and high; the last three are null where there is no value.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Hits     int      `json:"hits"`
		N        int      `json:"n"`
		Families int      `json:"families"`
		Value    *float64 `json:"value"`
		Low      *float64 `json:"low"`
		High     *float64 `json:"high"`
	}{e.Hits, e.N, e.Families, OrNull(e.Value), OrNull(e.Low), OrNull(e.High)})
}

// MarshalJSON writes pairs, families, value, low and high; the last three are null where there is no value.
func (d Difference) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Pairs    int      `json:"pairs"`
		Families int      `json:"families"`
		Value    *float64 `json:"value"`
		Low      *float64 `json:"low"`
		High     *float64 `json:"high"`
	}{d.Pairs, d.Families, OrNull(d.Value), OrNull(d.Low), OrNull(d.High)})
}

// MarshalJSON writes n and value, which is null where there is none.
func (m Mean) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N     int      `json:"n"`
		Value *float64 `json:"value"`
	}{m.N, OrNull(m.Value)})
}

// OrNull returns nil, which is null as JSON, for a number that is not one.
func OrNull(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
