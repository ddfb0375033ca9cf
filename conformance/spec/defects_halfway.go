package spec

// halfwayWireDefects are mistakes of any server that show where something goes while something else waits, is under way, or is like it.
func halfwayWireDefects() []Defect {
	return []Defect{
		{"deletions-of-states-during-pushes-ignored", "G01-DEL-01", nil, "A request to delete a state has no effect while a push is under way."},
		{"deletions-of-held-announcements-during-pushes-ignored", "G01-DEL-03", nil, "A request to delete an announcement that waits has no effect while a push is under way."},
		{"deletions-of-pull-requests-during-pushes-ignored", "G01-DEL-04", nil, "A request to delete a pull request has no effect while a push is under way."},
		{"deletions-of-served-announcements-during-pushes-ignored", "G01-DEL-06", nil, "A request to delete a served announcement has no effect while a push is under way."},
		{"replaced-ids-delete-what-waits", "N09-02", nil, "A deletion of a version that waited and was replaced deletes the one that waits in its place."},
		{"deleted-while-held-taken-again", "N09-05", nil, "An event that was deleted while it waited is answered OK true when it is sent again."},
		{"deleted-while-held-taken-behind-a-start", "N09-05", nil, "An event that was deleted while it waited is answered OK true when it is sent again behind a restart."},
		{"pull-requests-beside-branches-unserved", "G01-PR-15", nil, "A pull request whose commit is pushed together with a branch is not served."},
		{"refs-of-one-commit-go-together", "G01-PR-08", nil, "With a ref whose event has not come go the refs of other pull requests of its commit."},
		{"ids-below-pull-requests-refused", "G01-GIT-06", nil, "Where there are refs of pull requests only what refs point to can be asked for by id."},
		{"locks-outlive-who-left", "G01-PUSH-01", nil, "A push whose client leaves in the middle of it locks the repository for good."},
		{"owners-vanish-with-states-of-others", "N62-01", nil, "With an owner who vanishes go the states of others for the repository."},
	}
}
