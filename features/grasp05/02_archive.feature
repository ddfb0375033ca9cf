Feature: Repositories of others are kept (GRASP-05)
  An archive keeps repositories that do not list it. Which ones is read from its information document, as far as that says so:
  all of another service, or all there are; elsewhere the tester's keys are those of somebody whose repositories are kept.

  @G05-01
  Scenario: an announcement in the scope that does not list the archive is accepted
    When the owner announces the repository in the archive's scope
    Then the archive keeps what its document says

  @G05-02 @read-only
  Scenario: an archive is listed with the sync that it rests on
    When a visitor asks for the relay information document
    Then GRASP-02 is listed if GRASP-05 is

  @G05-02.events @wait:132m @needs:reachback
  Scenario: what another relay has of an archived repository is got
    Given there is another relay
    And a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host and on the other relay, is served with:
      | refs/heads/main | first |
    When the other relay gets the contributor's issue
    Then the issue comes to be served within an hour

  @G05-02.kinds @wait:132m @needs:reachback
  Scenario Outline: <form> that another relay has of an archived repository is got
    Given there is another relay
    And a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host and on the other relay, is served with:
      | refs/heads/main | first |
    When the other relay gets the contributor's <kind> "answer" naming the owner's repository by a
    Then the event "answer" comes to be served within an hour

    Examples:
      | id      | form      | kind    |
      | patch   | a patch   | patch   |
      | comment | a comment | comment |

  @G05-03
  Scenario: an announcement beside the scope that does not list the archive is refused
    When somebody announces the repository beside the archive's scope
    Then the archive refuses it
    But the same announcement in the archive's scope is accepted

  @G05-04 @wait:61m @needs:reachback
  Scenario: an archived repository is served once its data has come
    Given a git host has:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    And the owner announced the repository in the archive's scope, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |
    Then the event is accepted
    And the state is served within an hour
    And the announcement is served
    And the repository has exactly:
      | refs/heads/main | first |
      | refs/tags/v1    | tag   |

  @G05-06.state
  Scenario: a state of an archived repository counts if a maintainer signed it
    Given the owner announced the repository in the archive's scope
    When the stranger publishes the state:
      | refs/heads/main | first |
    Then the archive refuses it
    But the same state by the owner is accepted

  @G05-06.issue @wait:61m @needs:reachback
  Scenario: an issue on an archived repository is taken and served
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    When the contributor sends an issue on the archived repository
    Then the event is accepted
    And the event is served

  @G05-06.talk @wait:61m @needs:reachback
  Scenario Outline: <form> on an archived repository is taken and served
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    When the contributor sends <form> on the archived repository
    Then the event is accepted
    And the event is served

    Examples:
      | id      | form      |
      | patch   | a patch   |
      | comment | a comment |

  @G05-04.head @wait:61m @needs:reachback
  Scenario: HEAD of an archived repository is the branch that its state names
    Given a git host has:
      | refs/heads/main  | first |
      | refs/heads/trunk | first |
    And the owner announced the repository in the archive's scope, which is at the git host
    When the owner publishes the state:
      | refs/heads/main  | first            |
      | refs/heads/trunk | first            |
      | HEAD             | refs/heads/trunk |
    Then the event is accepted
    And the state is served within an hour
    And the repository has exactly:
      | refs/heads/main  | first            |
      | refs/heads/trunk | first            |
      | HEAD             | refs/heads/trunk |

  @G05-06.again @wait:61m @needs:reachback
  Scenario: an archived repository may be announced anew
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    When the owner announces the repository in the archive's scope
    Then the archive keeps what its document says

  @G05-06.orphan @wait:61m @needs:reachback
  Scenario: an issue on a repository that nobody announced is refused by an archive, too
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    When the contributor sends an issue on the stranger's repository that nobody announced
    Then the archive refuses it
    But the same issue naming the archived repository is accepted

  @G05-06.pull @wait:122m @needs:reachback
  Scenario: a pull request to an archived repository is served once its commit has come
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the git host also has:
      | refs/heads/side | side |
    When the contributor publishes a pull request of the commit side, which is at the git host
    Then the event is accepted
    And the pull request is served within an hour
    And the pull request has its ref at the commit side
    And the repository has exactly:
      | refs/heads/main | first |

  @G05-07
  Scenario: which reason to accept an announcement comes first is recorded
    Given the owner announced the repository in the archive's scope, naming the maintainer
    Then it is recorded how the archive says what it keeps
    And it is recorded whether the maintainer may announce the repository beside the archive's scope
    And it is recorded whether the stranger may announce the repository listing this service

  @G05-07.push @wait:61m @needs:reachback
  Scenario: whether an archive takes a push to what does not list it is recorded
    Given a git host has:
      | refs/heads/main | first |
    And the owner's archived repository, which is at the git host, is served with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    When a client pushes:
      | refs/heads/main | second |
    Then it is recorded whether the archive took the push
