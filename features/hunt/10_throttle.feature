Feature: How much the hunt asks of one host
  Hosts are asked little at a time, and nobody waits longer than that takes.

  @REF-HUNT-08 @wait:5m @needs:reachback
  Scenario: five requests are under way at one host
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 10 seconds to answer
    And the time is taken
    When 12 repositories wait for data of the git host
    Then after 181 seconds the git host has been asked 5 times
    And after 189 seconds the git host has been asked 5 times
    And after 191 seconds the git host has been asked 10 times
    And at most 5 requests were under way at the git host at once

  @REF-HUNT-08.spelled @REF-HUNT-23 @wait:4m @needs:reachback
  Scenario: a host spelled in several ways is one host
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 10 seconds to answer
    And the time is taken
    When 12 repositories wait for data of the git host, spelled in three ways
    Then after 181 seconds the git host has been asked 5 times
    And after 191 seconds the git host has been asked 10 times
    And at most 5 requests were under way at the git host at once
    And no request at the git host had credentials

  @REF-HUNT-09 @wait:6m @needs:reachback
  Scenario: thirty requests begin at one host in a minute
    Given a git host has:
      | refs/heads/main | unrelated |
    And the time is taken
    When 40 repositories wait for data of the git host
    Then after 181 seconds the git host has been asked 30 times
    And after 239 seconds the git host has been asked 30 times
    And after 299 seconds the git host has been asked 60 times

  @REF-HUNT-09.crash @serial @wait:6m @needs:reachback @needs:kill
  Scenario: a crash gives no host a second minute
    Given a git host has:
      | refs/heads/main | unrelated |
    And the time is taken
    When 40 repositories wait for data of the git host
    Then after 181 seconds the git host has been asked 30 times
    When the server crashes
    Then after 239 seconds the git host has been asked 30 times
    And after 242 seconds the git host has been asked 60 times

  @REF-HUNT-10 @wait:6m @needs:reachback
  Scenario: what waits for a host begins when a request there ends
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 10 seconds to answer
    And the time is taken
    When 12 repositories wait for data of the git host
    Then after 189 seconds the git host has been asked 5 times
    And after 191 seconds the git host has been asked 10 times
    And after 199 seconds the git host has been asked 10 times

  @REF-HUNT-10.window @wait:6m @needs:reachback
  Scenario: what waits for a host begins when its minute is over
    Given a git host has:
      | refs/heads/main | unrelated |
    And the time is taken
    When 40 repositories wait for data of the git host
    Then after 239 seconds the git host has been asked 30 times
    And after 241 seconds the git host has been asked 60 times
    And after 299 seconds the git host has been asked 60 times
    And after 301 seconds the git host has been asked 70 times

  @REF-HUNT-10.limits @wait:9m @needs:reachback
  Scenario: a host that limits requests is asked when the time that it names is over
    Given a git host has:
      | refs/heads/main | first |
    And the owner announced the repository, which is at the git host
    And from now on the git host limits requests for 300 seconds
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host is asked after 180, 480 seconds, and at no other time

  @REF-HUNT-10.queued @wait:5m @needs:reachback
  Scenario: what an attempt leaves over begins at once where there is capacity
    Given a git host has:
      | refs/heads/main | unrelated |
    And the owner announced the repository with 20 URLs at the git host
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 179 seconds the git host has been asked 0 times
    And after 181 seconds the git host has been asked 20 times
    And after 199 seconds the git host has been asked 20 times

  @REF-HUNT-11 @wait:6m @needs:reachback
  Scenario: repositories that wait for one host take turns
    Given a git host has:
      | refs/heads/main | unrelated |
    And the time is taken
    When 30 repositories wait for data of the git host
    And 3 repositories with 10 URLs each wait for data of the git host
    Then after 239 seconds the git host has been asked 30 times
    And after 241 seconds the git host has been asked 60 times
    And no repository was asked for more than 2 times at the git host

  @REF-HUNT-12 @wait:7m @needs:reachback
  Scenario: no URL is asked twice at once
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 25 seconds to answer
    And the owner announced the repository with 12 URLs at the git host
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then after 179 seconds the git host has been asked 0 times
    And after 181 seconds the git host has been asked 1 time
    And 200 seconds pass
    And no two requests for one URL were under way at the git host at once

  @REF-HUNT-13 @wait:5m @needs:reachback
  Scenario: a URL is asked once in an attempt
    Given a git host "one" has:
      | refs/heads/main | unrelated |
    And a git host "two" has:
      | refs/heads/main | unrelated |
    And the owner announced the repository, which is at the git hosts "one" and "two"
    When the owner publishes the state:
      | refs/heads/main | first |
    And the time is taken
    Then the git host "one" is asked after 180, 200 seconds, and at no other time
    And the git host "two" is asked after 180, 200 seconds, and at no other time

  @REF-HUNT-13.new @wait:5m @needs:reachback
  Scenario: a URL is asked again at once for objects that have come to be needed
    Given a git host has:
      | refs/heads/main | unrelated |
    And from now on the git host takes 10 seconds to answer
    And the owner announced the repository with 1 URL at the git host
    And the time is taken
    And the owner published the state:
      | refs/heads/main | first |
    And after 185 seconds the git host has been asked 1 time
    When the owner publishes the state:
      | refs/heads/main  | first  |
      | refs/heads/other | second |
    Then the git host is asked after 180, 190 seconds, and at no other time

  @REF-HUNT-14 @wait:5m @needs:reachback
  Scenario: a host with capacity is asked while another one has none
    Given a git host "busy" has:
      | refs/heads/main | first |
    And a git host "free" has:
      | refs/heads/main | unrelated |
    And 30 repositories wait for data of the git host "busy"
    And the owner announced the repository, which is at the git hosts "busy" and "free"
    And the time is taken
    When the owner publishes the state:
      | refs/heads/main | first |
    Then after 181 seconds the git host "busy" has been asked 30 times
    And after 181 seconds the git host "free" has been asked 1 time
    And after 239 seconds the state is not served
    And after 241 seconds the state is served
    And the repository has exactly:
      | refs/heads/main | first |
