Feature: A relay for members alone (GRASP-08)
  Nobody gets in who has not authenticated as a member, whatever is asked. What is refused to one client is taken from a member,
  byte by byte.

  Background:
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |

  @G08-01
  Scenario Outline: a client of <who> gets no event
    When a client of <who> listens
    And members hear an issue of the contributor
    Then the client of <who> has heard nothing

    Examples:
      | id       | who          |
      | nobody   | nobody       |
      | stranger | the stranger |

  @G08-02.challenge
  Scenario: a challenge comes on connecting
    Then a client of nobody gets a challenge first of all

  @G08-02
  Scenario Outline: <message> is refused before an authentication
    When a client of nobody sends <message>
    Then it is turned away as auth-required
    But the same message of a client of the owner is taken

    Examples:
      | id    | message |
      | event | EVENT   |
      | query | REQ     |

  @G08-02.count @needs:nip=45
  Scenario: COUNT is refused before an authentication
    When a client of nobody sends COUNT
    Then it is turned away as auth-required
    But the same message of a client of the owner is taken

  @G08-02.set @needs:nip=77
  Scenario: NEG-OPEN is refused before an authentication
    When a client of nobody sends NEG-OPEN
    Then it is turned away as auth-required
    But the same message of a client of the owner is taken

  @G08-03
  Scenario: the authentication of a stranger is refused as restricted
    When a client of nobody authenticates as the stranger with nothing wrong
    Then it is turned away as restricted
    But it is let in as the owner with nothing wrong

  @G08-03.asks
  Scenario Outline: <message> of a stranger is refused
    When a client of the stranger sends <message>
    Then it is turned away
    But the same message of a client of the owner is taken

    Examples:
      | id    | message |
      | event | EVENT   |
      | query | REQ     |

  @G08-03.count @needs:nip=45
  Scenario: COUNT of a stranger is refused
    When a client of the stranger sends COUNT
    Then it is turned away
    But the same message of a client of the owner is taken

  @G08-03.set @needs:nip=77
  Scenario: NEG-OPEN of a stranger is refused
    When a client of the stranger sends NEG-OPEN
    Then it is turned away
    But the same message of a client of the owner is taken

  @G08-04
  Scenario Outline: an authentication of a member with <fault> opens nothing
    When a client of nobody authenticates as the owner with <fault>
    Then it is turned away as auth-required
    When a client of nobody sends REQ
    Then it is turned away as auth-required
    But the same message of a client of the owner is taken
    And it is let in as the owner with nothing wrong

    Examples:
      | id        | fault                               |
      | challenge | the challenge of another connection |
      | relay     | the URL of another relay            |
      | old       | a time 20 minutes ago               |
      | early     | a time in 20 minutes                |
      | signature | a wrong signature                   |
      | kind      | an event of another kind            |

  @G08-14
  Scenario: who is a member no more loses what is open
    When a client of the contributor listens
    And the contributor is a member no more
    Then the client of the contributor is told that it is over
    When a client of the contributor sends REQ
    Then it is turned away
    But the same message of a client of the owner is taken

  @G08-14.publishes
  Scenario: who is a member no more publishes nothing where that was possible before
    When a client of the contributor listens
    And the contributor is a member no more
    And a client of the contributor sends EVENT
    Then it is turned away
    But the same message of a client of the owner is taken

  @G08-15
  Scenario Outline: an event of kind <kind> is not kept
    When a client of the owner publishes a token of kind <kind>
    Then no member finds it
    But members find an issue of the owner

    Examples:
      | id    | kind  |
      | relay | 22242 |
      | git   | 27235 |
