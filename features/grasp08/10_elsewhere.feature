Feature: What a private service tells others (GRASP-08)
  A relay that answers whoever asks would tell them, too, what a private service has asked it for.

  @G08-10 @wait:66m @needs:reachback @needs:grasp=2
  Scenario: a relay that answers everybody is told nothing of a private repository
    Given the owner and the contributor are members
    And there is another relay "open"
    And there is another relay "members"
    And from now on the other relay "members" denies
    And the owner's repository, listing the other relays "open" and "members", is there for members, with:
      | refs/heads/main | first |
    When 61 minutes pass
    Then the other relay "open" was asked nothing that names the owner's repository
    And it is recorded how the other relay "members" was asked
