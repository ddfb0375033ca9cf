package web

// What a service lists besides GRASP-01 and GRASP-02, for Config.Grasps.
const (
	GraspSyncPlus = "GRASP-03" // it looks for what participants have written elsewhere
	GraspPrivate  = "GRASP-08" // it is for its members alone
)
