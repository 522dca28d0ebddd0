// Questions to the server. Addresses are relative, so the page also works behind a prefix.

/** What the server, or the way to it, had to say against a question. */
export class ServerError extends Error {
  constructor(message, status = 0, retry = 0) {
    super(message);
    this.status = status;
    this.retry = retry; // seconds after which the server wants to be asked again
  }
}

/** The answer to a question as plain data. */
export async function ask(path, body, { signal, token } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    if (/[^\x20-\xff]/.test(token ?? "")) throw new ServerError("The token has letters that no token has.");
    throw new ServerError("The server does not answer. Is it still running?");
  }
  const answer = await response.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return {};
  });
  if (response.ok) return answer;
  const retry = Number(response.headers.get("Retry-After")) || 0;
  throw new ServerError(answer.error ?? `The server answered ${response.status}.`, response.status, retry);
}

const SLOW = 600; // milliseconds after which a person wants to know that something is done

/**
 * Work of which only the latest matters: it begins after a pause, a newer one takes its place, and
 * what comes back late is dropped. A server that is busy is asked again when it wants to be. `slow`
 * is called when an answer takes long.
 */
export class Latest {
  constructor({ done, failed, slow = () => {} }) {
    this.done = done;
    this.failed = failed;
    this.slow = slow;
    this.controller = null;
  }

  start(work, pause = 0) {
    this.stop();
    const controller = (this.controller = new AbortController());
    const attempt = async () => {
      const late = setTimeout(() => this.controller === controller && this.slow(), SLOW);
      try {
        const answer = await work(controller.signal);
        if (this.controller === controller) this.done(answer);
      } catch (error) {
        if (this.controller !== controller) return;
        this.failed(error);
        if (error.retry) this.timer = setTimeout(attempt, 1000 * error.retry);
      } finally {
        clearTimeout(late);
      }
    };
    this.timer = setTimeout(attempt, pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.controller?.abort();
    this.controller = null;
  }
}
