Feature: What a private service shows beside (GRASP-08)
  No page, no place and no old connection tells who is no member what there is.

  Background:
    Given the owner and the contributor are members
    And the owner's repository is there for members, with:
      | refs/heads/main | first |

  @G08-01.root
  Scenario: the root names no repository
    When a visitor asks for the root
    Then the root names nothing of the owner's repository
    But with the owner's token all of it is answered

  @G08-06.page
  Scenario: a page tells nobody whether there is a repository
    When a visitor asks for the page of the owner's repository, and of one that is not there
    Then both pages are alike
    But with the owner's token all of it is answered

  @G08-06.head
  Scenario: the head of an advertisement tells nobody whether there is a repository
    When a visitor asks for the head of the advertisement of the owner's repository, and of one that is not there
    Then both pages are alike
    But with the owner's token all of it is answered

  @G08-01.places @needs:grasp=6
  Scenario: a place for pull requests is for members, too
    When a visitor with no token asks for all of the owner's place for pull requests
    Then every answer is 401, and the same where no repository is
    But with the owner's token all of it is answered

  @G08-14.hears
  Scenario: who is a member no more hears nothing more
    When a client of the contributor listens
    And the contributor is a member no more
    And members hear an issue of the owner
    Then the client of the contributor has heard nothing

  @G08-14.token
  Scenario: the token of who is a member no more opens nothing
    When the contributor is a member no more
    And a visitor with the contributor's token asks for all of the owner's repository
    Then every answer is 401, and the same where no repository is
    But with the owner's token all of it is answered
