Feature: Archives that are only read (GRASP-05)
  Such an archive says so, and what it keeps comes from elsewhere alone.

  @G05-04.push @needs:read-only-archive @wait:122m @needs:reachback
  Scenario: a push that a state has signed is refused, and the same refs come from elsewhere
    Given the document says that the archive is only read
    And a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then the archive takes no push
    But the same refs come to the repository from the git host within an hour

  @G05-04.event-ref @needs:read-only-archive @wait:122m @needs:reachback
  Scenario: a push to the ref of a pull request is refused, and the same ref comes from elsewhere
    Given the document says that the archive is only read
    And a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, which is at the git host
    When a client pushes:
      | refs/nostr/{pull request} | side |
    Then the archive takes no push
    But the same refs come to the repository from the git host within an hour

  @G05-05 @needs:read-only-archive @wait:61m @needs:reachback
  Scenario: an archive that takes no push says so under curation
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    And a visitor asks for the relay information document
    Then curation says so if the archive takes neither this push nor what lists it
