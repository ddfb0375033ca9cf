Feature: In one breath
  Who sends several messages need not wait for the answer to one before the next: what stays is the same as if he had waited.

  @N01-EV-03.breath
  Scenario: copies of an event in one breath are all taken, and it is served once
    When the contributor publishes in one breath:
      | name  | kind | date | tags                                     |
      | thing | 1621 | 100  | ["subject","thing"] ["a","{lighthouse}"] |
      | thing | 1621 | 100  |                                          |
      | thing | 1621 | 100  |                                          |
    Then the event is accepted
    And the event "thing" is served

  @N01-REP-02.breath
  Scenario Outline: of two versions in one breath the newer one is kept: the <first> first
    When the contributor publishes in one breath:
      | name     | kind  | date     | tags                 |
      | <first>  | 10317 | <before> | ["a","{lighthouse}"] |
      | <second> | 10317 | <behind> | ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id    | first | before | second | behind |
      | newer | newer | 300    | older  | 200    |
      | older | older | 200    | newer  | 300    |

  @N01-REP-01.breath
  Scenario Outline: of two versions for an identifier in one breath the newer one is kept: the <first> first
    When the contributor publishes in one breath:
      | name     | kind  | date     | tags                           |
      | <first>  | 30023 | <before> | ["d","x"] ["a","{lighthouse}"] |
      | <second> | 30023 | <behind> | ["d","x"] ["a","{lighthouse}"] |
    Then the event is accepted, or such events are not taken
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id    | first | before | second | behind |
      | newer | newer | 300    | older  | 200    |
      | older | older | 200    | newer  | 300    |

  @G01-ANN-17.breath
  Scenario Outline: of two announcements in one breath the newer one is kept: the <first> first
    Given the owner's repository is served with:
      | refs/heads/main | first |
    When the owner publishes in one breath:
      | name     | kind  | date     | tags                                                                                         |
      | <first>  | 30617 | <before> | ["d","{identifier}"] ["name","<first>"] ["clone","{own clone}"] ["relays","{own relay}"]  |
      | <second> | 30617 | <behind> | ["d","{identifier}"] ["name","<second>"] ["clone","{own clone}"] ["relays","{own relay}"] |
    Then the event is accepted
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id    | first | before | second | behind |
      | newer | newer | 300    | older  | 200    |
      | older | older | 200    | newer  | 300    |

  @G01-LAT-01.breath
  Scenario Outline: of two states in one breath the newer one counts: the <first> first
    Given the owner announced the repository
    When the owner publishes in one breath:
      | name     | kind  | date     | tags                                                         |
      | <first>  | 30618 | <before> | ["d","{identifier}"] ["refs/heads/main","{<first commit>}"]  |
      | <second> | 30618 | <behind> | ["d","{identifier}"] ["refs/heads/main","{<second commit>}"] |
    Then the event is accepted
    When a client pushes:
      | refs/heads/main | side |
    Then the ref refs/heads/main is refused
    But this push is accepted:
      | refs/heads/main | second |
    And the event "newer" is served
    And the event "older" is not served any more

    Examples:
      | id    | first | before | second | behind | first commit | second commit |
      | newer | newer | 300    | older  | 200    | second       | side          |
      | older | older | 200    | newer  | 300    | side         | second        |

  @N09-01.breath
  Scenario: an event and the request to delete it in one breath
    When the contributor publishes in one breath:
      | name  | kind | date | tags                                     |
      | thing | 1621 | 100  | ["subject","thing"] ["a","{lighthouse}"] |
      | doom  | 5    | 200  | ["e","{id of thing}"] ["k","1621"]       |
    Then the event is accepted, or such events are not taken
    And the event "thing" is not served any more

  @N01-REQ-01.breath
  Scenario: an event and a query for it in one breath
    When the contributor posts the issue "thing" and asks for all such in one breath
    Then the event is accepted
    And the event is among what is stored, or comes live

  @N01-REQ-03.breath
  Scenario: a subscription that is opened and closed in one breath stays closed
    When a subscription for the contributor's issues is opened and closed in one breath
    And the contributor posts the issue "late"
    Then the closed subscription gets nothing

  @N01-REQ-01.breath-queries
  Scenario: several queries in one breath are all answered, and whole
    Given the contributor posted 24 issues
    Then queries in one breath for all and for some of the contributor's issues bring each of them

  @N01-REQ-03.breath-replaced
  Scenario: of subscriptions of one id in one breath the last one counts
    Given the contributor posted the issue "old"
    And the stranger posted the issue "other"
    Then a subscription for the contributor's issues that is replaced, or closed and opened again, in one breath is one for the stranger's
