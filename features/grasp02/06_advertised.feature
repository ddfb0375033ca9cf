Feature: Sync is done exactly if it is listed (GRASP-02)
  A service that lists GRASP-02 gets what it lacks from elsewhere, and one that rests on this lists it. This holds for
  every server.

  @G02-ADV-01 @read-only
  Scenario: a document that lists archives lists what they rest on
    When a visitor asks for the relay information document
    Then GRASP-02 is listed if GRASP-05 is

  @G02-ADV-01.asking @needs:grasp=2 @wait:61m @needs:reachback
  Scenario: a service that lists GRASP-02 asks another clone URL for what it lacks
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then the event is accepted
    And the git host is asked within an hour

  @G02-ADV-01.following @needs:grasp=2 @wait:66m @needs:reachback
  Scenario: a service that lists GRASP-02 connects to the other relays that an announcement lists
    Given there is another relay
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When the other relay gets the contributor's issue
    Then the other relay is connected to within an hour

  @G02-ADV-01.unlisted @wait:61m @needs:reachback
  Scenario: a service that does not list GRASP-02 gets nothing from other relays
    Given GRASP-02 is not listed
    And there is another relay
    And the other relay has the contributor's issue
    And the owner's repository is served, listing the other relay, with:
      | refs/heads/main | first |
    When 60 minutes pass
    Then the issue is not served
