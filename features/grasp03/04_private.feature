Feature: Repositories that are marked as private (GRASP-03)
  What participants have elsewhere is looked for, but not where that would tell somebody of a repository that is private.

  @G03-04 @wait:66m @needs:reachback
  Scenario: a relay of a participant is asked nothing about a repository that is marked as private
    Given there is another relay
    And the contributor takes part in the owner's repository "open", which is not marked, with:
      | refs/heads/main | first |
    And the relay list of the contributor names the other relay
    And the owner's repository is served, marked as private and listing no other relay, with:
      | refs/heads/main | first |
    And the contributor's issue on the owner's repository was accepted
    When 61 minutes pass
    Then the other relay was asked nothing that names the owner's repository
    But it was asked about the owner's repository that is not marked
