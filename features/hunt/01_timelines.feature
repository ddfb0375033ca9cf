Feature: The hunt for git data that another host has
  Events name git hosts, where the reference looks for what they wait for.

  @REF-HUNT-02 @wait:4m @needs:reachback
  Scenario: a state that waits is hunted for after three minutes
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    And from now on the git host serves
    Then the event is accepted, waiting for git data
    And 100 seconds pass
    And the git host has been asked 0 times
    And the git host is asked after 180 seconds, and at no other time
    And the announcement is served
    And the state is served
    And the repository has exactly:
      | refs/heads/main | first |
