Feature: What an archive does not keep, and takes from nobody (GRASP-05)
  The scope is compared as what it is, and a repository that is kept is written by who may write it, by the way that is open.

  @G05-03.alike
  Scenario Outline: an announcement by <what> is refused
    When somebody announces the repository beside the archive's scope, by <what>
    Then the archive refuses it
    But the same announcement in the archive's scope is accepted

    Examples:
      | id   | what                                        |
      | host | a host that begins like the one that is kept |
      | user | a user called like the host that is kept     |
      | path | a path that ends in the service that is kept |
      | port | the host that is kept, at another port       |

  @G05-06.push @wait:122m @needs:reachback
  Scenario: a push to an archived repository that no state names is refused
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | second |
    Then the archive takes no push
    But the same refs come to the repository from the git host once a state names them

  @G05-04.new @needs:read-only-archive @wait:122m @needs:reachback
  Scenario Outline: a push of a new <what> that a state has signed is refused, and the same comes from elsewhere
    Given the document says that the archive is only read
    And a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | first  |
      | <ref>           | second |
    When a client pushes:
      | <ref> | second |
    Then the archive takes no push
    But the same refs come to the repository from the git host within an hour

    Examples:
      | id     | what   | ref            |
      | branch | branch | refs/heads/dev |
      | tag    | tag    | refs/tags/v2   |

  @G05-04.first @needs:read-only-archive @wait:122m @needs:reachback
  Scenario: the first push to what an archive keeps is refused, and the same refs come from elsewhere
    Given the document says that the archive is only read
    And a git host has:
      | refs/heads/other | unrelated |
    And the owner announced the repository in the archive's scope, which is at the git host
    And the owner published the state:
      | refs/heads/main | first |
    When a client pushes:
      | refs/heads/main | first |
    Then the archive takes no push
    But the same refs come to the repository from the git host within an hour
