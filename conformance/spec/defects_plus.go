package spec

// plusDefects are mistakes of services that list sync plus (GRASP-03).
func plusDefects() []Defect {
	return []Defect{
		{"plus-listed-alone", "G03-01", nil, "The relay document lists sync plus without the sync that it rests on."},
		{"plus-listed-idle", "G03-06", nil, "The relay document lists sync plus, and nothing of it is done."},
		{"answers-left-elsewhere", "G03-02", nil, "Comments are not taken from other relays."},
		{"profiles-left-elsewhere", "G03-03", nil, "Profiles and GRASP lists of participants are not taken from other relays."},
		{"own-profiles-refused", "G03-06", nil, "A profile is refused from the participant whose it is."},
		{"writing-marks-unread", "G03-02", nil, "Relays that are marked for writing are not taken for those that a participant writes to."},
		{"profiles-of-anybody-got", "G03-03", nil, "Profiles and lists of everybody are got from other relays and served."},
		{"profiles-of-anybody-taken", "G03-03", nil, "Whoever sends a profile of its own has it served."},
		{"marked-repositories-told", "G03-04", nil, "Every relay that is connected to is asked about repositories that are marked as private."},
	}
}
