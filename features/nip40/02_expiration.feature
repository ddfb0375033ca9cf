Feature: Expiration
  An event may say itself from when on it is not to be served.

  @N40-01
  Scenario: an event that has expired is refused
    When the contributor posts an issue that expired 60 seconds ago
    Then the event is refused
    And nothing by the contributor is served
    But the same issue that expires in an hour is accepted

  @N40-01.zero
  Scenario: an event that has expired from the first is refused
    When the contributor posts an issue that expired when time began
    Then the event is refused
    And nothing by the contributor is served
    But the same issue that expires in an hour is accepted

  @N40-01.later
  Scenario Outline: an event that expires in <long> is accepted and served
    When the contributor posts an issue that expires in <seconds> seconds
    Then the event is accepted
    And the event is served

    Examples:
      | id    | long     | seconds   |
      | hour  | an hour  | 3600      |
      | day   | a day    | 86400     |
      | month | a month  | 2592000   |
      | year  | a year   | 31536000  |
      | years | 20 years | 631152000 |
      | age   | 100 years | 3155760000 |

  # The seconds of the present have ten digits, of which the first is 1.
  @N40-01.digits
  Scenario Outline: an event that has expired long ago is refused, though the second has greater digits: <second>
    When the contributor posts an issue that expires at the second <second> of time
    Then the event is refused
    And nothing by the contributor is served
    But the same issue that expires in an hour is accepted

    Examples:
      | id   | second    |
      | one  | 9         |
      | nine | 999999999 |

  @N40-01.digits-later
  Scenario: an event that expires in the year 2286 is accepted and served, though the second has lesser digits
    When the contributor posts an issue that expires at the second 10000000000 of time
    Then the event is accepted
    And the event is served

  @N40-01.served @serial
  Scenario: an event is served until it expires
    Given the contributor posted an issue that expires in 5 seconds
    And the issue is served
    When its expiration passes
    Then the issue is not served any more

  @N40-01.again @serial
  Scenario: an event that is sent again when it has expired is not served again
    Given the contributor posted the issue "brief", which expires in 5 seconds
    And the issue "brief" is served
    When its expiration passes
    Then the issue "brief" is not served any more
    When the contributor posts the issue "brief" again
    Then the event is answered without a failure
    And the issue "brief" is not served any more

  @N40-01.several @serial
  Scenario: of issues that expire in one second none stays because others were deleted
    Given the contributor posted the issue "lasting", which expires in 3600 seconds
    And the contributor posted the issue "one", which expires in 5 seconds
    And the contributor posted the issue "two", which expires in 5 seconds
    And the contributor posted the issue "three", which expires in 5 seconds
    And the contributor posted the issue "four", which expires in 5 seconds
    And the contributor's request to delete the issue "one" is taken
    And the contributor's request to delete the issue "three" is taken
    When its expiration passes
    Then the issue "two" is not served any more
    And the issue "four" is not served any more

  @N40-01.dressed @serial @further
  Scenario Outline: <what> in every dress are served until they expire
    Given <what> of the contributor in every dress, which expire in 5 seconds, were sent
    When its expiration passes
    Then none of them is served any more

    Examples:
      | id       | what                 |
      | issues   | issues               |
      | articles | articles             |
      | kinds    | events of many kinds |

  @N40-01.held @serial
  Scenario: a state that expires while it waits is not served once its commit comes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner published a state, which expires in 5 seconds:
      | refs/heads/main | second |
    When its expiration passes
    And a client pushes:
      | refs/heads/main | second |
    Then the push is accepted or refused
    And the state is not served

  @N40-01.released @serial @wait:2m
  Scenario: an announcement and a state that were released are served until they expire
    Given the owner announced the repository, which expires in 60 seconds
    And the owner published a state, which expires in 60 seconds:
      | refs/heads/main | first |
    And a client pushed:
      | refs/heads/main | first |
    And the announcement is served
    And the state is served
    When its expiration passes
    Then the announcement is not served any more
    And the state is not served any more

  @N40-01.released-pull @serial @wait:2m
  Scenario Outline: <form> that was released is served until it expires
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published <form> of the commit side, which expires in 60 seconds
    And a client pushed the commit side for the <event>
    And the <event> is served
    When its expiration passes
    Then the <event> is not served any more

    Examples:
      | id           | form           | event        |
      | pull-request | a pull request | pull request |
      | update       | an update      | update       |

  @N40-01.announcement @serial
  Scenario: an announcement that expires is served no more
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository, which expires in 5 seconds
    When its expiration passes
    Then the announcement is not served any more

  @N40-01.held-pull @serial
  Scenario: a pull request that expires while it waits is not served once its commit comes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published a pull request of the commit side, which expires in 5 seconds
    When its expiration passes
    And a client pushes the commit side for the pull request
    Then the push is accepted or refused
    And the pull request is not served

  @N40-01.held-update @serial
  Scenario: an update that expires while it waits is not served once its commit comes
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the contributor published an update of the commit side, which expires in 5 seconds
    When its expiration passes
    And a client pushes the commit side for the update
    Then the push is accepted or refused
    And the update is not served

  @N40-01.held-announcement @serial
  Scenario: an announcement that expires while it waits is not served once its data comes
    Given the owner announced the repository, which expires in 5 seconds
    And the owner published the state:
      | refs/heads/main | first |
    When its expiration passes
    And a client pushes:
      | refs/heads/main | first |
    Then the push is accepted or refused
    And the announcement is not served

  @N40-01.replaced @serial
  Scenario: a version stays served when the time of the one before it is over
    Given the owner's repository is served with:
      | refs/heads/main | first |
    And the owner announced the repository, which expires in 5 seconds
    And the owner announced the repository
    When its expiration passes
    Then the announcement is still served

  @N40-01.counted @serial @needs:nip=45
  Scenario: an event is counted until it expires
    Given the contributor posted the issue "lasting"
    And the contributor posted an issue that expires in 5 seconds
    And a count of the contributor's events is 2
    When its expiration passes
    Then a count of the contributor's events is 1

  @N40-01.newest @serial
  Scenario: what has expired takes no place among the newest
    Given the contributor posted the issue "one"
    And the contributor posted the issue "two"
    And the contributor posted the issue "brief", which expires in 5 seconds
    When its expiration passes
    Then the issue "brief" is not served any more
    When a client asks for the contributor's issues with limit 2
    Then the query holds exactly "one", "two"
