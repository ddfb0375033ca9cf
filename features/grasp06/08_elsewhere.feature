Feature: Places for pull requests get nothing from elsewhere (GRASP-06)
  A place has what was pushed to it. What a service gets for its repositories from other ones it does not put there.

  @G06-SYNC-01 @wait:66m @needs:reachback @needs:grasp=2
  Scenario: the commit of a pull request that is got from elsewhere comes to no place
    Given a git host has:
      | refs/heads/side | side |
    And the owner's repository is served with:
      | refs/heads/main | first |
    When the contributor publishes a pull request of the commit side, which is at the git host
    Then the event is accepted
    And the pull request is served within an hour
    And the pull request has its ref at the commit side
    And the contributor's place for pull requests answers fetches as an empty repository in protocol version 0
