Feature: What ends while it is hunted for
  Waiting events run out, are deleted, and outlive restarts.

  @REF-HUNT-07.open @wait:33m @needs:reachback
  Scenario: data that is under way when the state runs out releases nothing
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host lacks
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And 1700 seconds pass
    And from now on the git host answers after 60 seconds
    And 200 seconds pass
    Then the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |
    When the owner sends the state again
    Then the event is accepted, waiting for git data

  @REF-HUNT-07.again @wait:36m @needs:reachback
  Scenario: a state that has run out and comes again is hunted for anew
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    And the owner published the state:
      | refs/heads/main | second |
    And 30 minutes pass
    And the git host gets:
      | refs/heads/main | second |
    When the owner sends the state again
    And 179 seconds pass
    Then the state is not served
    When 2 seconds pass
    Then the state is served
    And the repository has exactly:
      | refs/heads/main | second |

  @REF-HUNT-07.deleted @wait:21m @needs:reachback
  Scenario Outline: a state that is deleted <when> is not hunted for any more
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host lacks
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And <time> seconds pass
    And the owner's request to delete the state is taken
    And from now on the git host serves
    And 10 minutes pass
    Then the git host has been asked <requests> times
    And the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |

    Examples:
      | id      | when                 | time | requests |
      | before  | before the hunt      | 100  | 0        |
      | between | between two attempts | 190  | 1        |

  @REF-HUNT-07.deleted-open @wait:11m @needs:reachback
  Scenario: a state that is deleted while its data comes releases nothing
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host answers after 20 seconds
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And 190 seconds pass
    And the owner's request to delete the state is taken
    And 10 minutes pass
    Then the git host has been asked 1 time
    And the state is not served
    And the repository still has exactly:
      | refs/heads/main | first |

  @REF-HUNT-07.removed @wait:11m @needs:reachback
  Scenario: with a held announcement the hunt for its state ends
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    And 100 seconds pass
    And the owner's request to delete the announcement is taken
    And 10 minutes pass
    Then the git host has been asked 0 times
    And the owner's repository is not there

  @REF-PURG-17 @serial @wait:9m @needs:reachback @needs:restart
  Scenario Outline: <form> that waits is hunted for as soon as the server is back
    Given a git host has:
      | refs/heads/main | side |
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the contributor publishes <form> of the commit side, which is at the git host
    And the time is taken
    Then the event is accepted, waiting for git data
    When 30 seconds pass
    And the server is down for 1 minutes
    Then the git host is asked after 90 seconds, and at no other time
    And the <event> is served
    And the repository has exactly:
      | refs/heads/main      | first |
      | refs/nostr/{<event>} | side  |

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |

  @REF-PURG-17.state @serial @wait:9m @needs:reachback @needs:restart
  Scenario: a state that waits is hunted for as soon as the server is back
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    And 30 seconds pass
    And the server is down for 1 minutes
    Then the git host is asked after 90 seconds, and at no other time
    And the announcement is served
    And the state is served

  @REF-PURG-17.backoff @serial @wait:12m @needs:reachback @needs:restart
  Scenario: after a restart the backoff begins anew
    Given a git host has:
      | refs/heads/main | first |
    And from now on the git host lacks
    And the owner announced the repository, which is at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    And the git host is asked after 180, 200, 240, 320 seconds, and at no other time
    And the server is down for 1 minutes
    And from now on the git host serves
    And 21 seconds pass
    Then the git host has been asked 6 times
    And the state is served

  @REF-PURG-17.crash @serial @wait:9m @needs:reachback @needs:kill
  Scenario: a fetch that a crash has ended is made again
    Given a git host has:
      | refs/heads/main | second |
    And from now on the git host hangs
    And the owner's repository is served, which is at the git host, with:
      | refs/heads/main | first |
    When the owner publishes the state:
      | refs/heads/main | second |
    And the time is taken
    And the git host is asked after 180 seconds, and at no other time
    And from now on the git host serves
    And the server crashes
    Then the git host has been asked 2 times
    And the state is served
    And the repository has exactly:
      | refs/heads/main | second |
