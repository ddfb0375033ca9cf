package web

import (
	"html"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/repo"
)

// clientURL is a git-nostr client in the browser: an npub and a percent-encoded identifier follow (G01-WEB-01).
const clientURL = "https://gitworkshop.dev/"

func (c Config) landingPage() Response {
	var b strings.Builder
	paragraph(&b, c.Description)
	paragraph(&b, "This is a git and nostr server (GRASP). Point a nostr client at "+c.Service.RelayURL(c.scheme("ws"))+
		" and git at "+c.Service.Base+"/<npub>/<identifier>.git.")
	paragraph(&b, "Accepted repositories: "+c.criteria())
	return c.page(200, c.title(), b.String())
}

func (c Config) title() string {
	if c.Name == "" {
		return c.Service.Host
	}
	return c.Name
}

func (c Config) notFound() Response {
	var b strings.Builder
	paragraph(&b, "There is nothing here.")
	return c.page(404, "Not found", b.String())
}

// repositoryPage shows a repository and where to browse it. Of one whose announcement is held, the path alone is
// shown: nothing of the event (G01-WEB-03).
func (c Config) repositoryPage(v View, p place) Response {
	id, reason := p.id()
	if reason != "" {
		return c.notFound()
	}
	repository := v.Repository(id)
	if !repository.Exists {
		var b strings.Builder
		paragraph(&b, "This server does not host the repository.")
		return c.page(404, "Repository not found", b.String())
	}
	title := id.Identifier
	var b strings.Builder
	if repository.Served {
		if repository.Name != "" {
			title = repository.Name
		}
		paragraph(&b, repository.Description)
	}
	paragraph(&b, "Repository "+id.Identifier+" of "+id.Owner.Npub())
	paragraph(&b, "git clone "+c.Service.CloneURL(id, c.scheme("http")))
	link(&b, clientURL+id.Owner.Npub()+"/"+repo.EncodeIdentifier(id.Identifier), "Browse it on gitworkshop.dev")
	if naddr := c.naddr(id); naddr != "" {
		link(&b, "nostr:"+naddr, "Open it in a nostr client")
	}
	return c.page(200, title, b.String())
}

// repositoryMoved leads from /<npub>/<identifier>, as people write it by hand, to the page of a repository that is here. It
// is said for this time only: the repository may go.
func (c Config) repositoryMoved(v View, path string) (Response, bool) {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	if len(parts) != 3 || parts[0] != "" {
		return Response{}, false
	}
	id, reason := place{npub: parts[1], identifier: parts[2] + ".git"}.id()
	if reason != "" || !v.Repository(id).Exists {
		return Response{}, false
	}
	var b strings.Builder
	to := c.Service.Base + id.Path()
	link(&b, to, "The repository is at "+to)
	response := c.page(302, "Repository "+id.Identifier, b.String())
	response.Header = append(response.Header, Header{"Location", to})
	return response, true
}

// naddr returns the NIP-19 address of an announcement, with this relay as the hint.
func (c Config) naddr(id repo.ID) string {
	hint := c.Service.RelayURL(c.scheme("ws"))
	naddr, err := nip19.EncodeEntity(string(id.Owner), repo.KindAnnouncement, id.Identifier, []string{hint})
	if err != nil {
		return ""
	}
	return naddr
}

func (c Config) scheme(plain string) string {
	if c.Secure {
		return plain + "s"
	}
	return plain
}

// page wraps a body, which must be escaped, into a document. The policy forbids scripts should an escape be missed.
func (c Config) page(status int, title, body string) Response {
	text := "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width\">\n" +
		"<title>" + html.EscapeString(title) + "</title>\n</head>\n<body>\n" +
		"<h1>" + html.EscapeString(title) + "</h1>\n" + body + "</body>\n</html>\n"
	return c.respond(status, "text/html; charset=utf-8", []byte(text),
		Header{"Content-Security-Policy", "default-src 'none'"})
}

func paragraph(b *strings.Builder, text string) {
	if text != "" {
		b.WriteString("<p>" + html.EscapeString(text) + "</p>\n")
	}
}

func link(b *strings.Builder, href, text string) {
	b.WriteString("<p><a href=\"" + html.EscapeString(href) + "\">" + html.EscapeString(text) + "</a></p>\n")
}
