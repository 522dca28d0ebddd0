// Questions to the server. Addresses are relative, so the page also works behind a prefix.

/** What the server, or the way to it, had to say against a question. */
export class ServerError extends Error {
  constructor(message, status = 0, retry = 0) {
    super(message);
    this.status = status;
    this.retry = retry; // seconds after which the server wants to be asked again
  }
}

let working = 0;
let told = () => {};

/** Have somebody told whether anything is being asked, or about to be. */
export function whenBusy(tell) {
  told = tell;
}

function work(by) {
  working += by;
  told(working > 0);
}

/** The answer to a question as plain data. */
export async function ask(path, body, { signal, token } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  work(1);
  try {
    const response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw refusal(response, text);
  } catch (error) {
    if (error.name === "AbortError" || error instanceof ServerError) throw error;
    if (/[^\x20-\xff]/.test(token ?? "")) throw new ServerError("The token has letters that no token has.");
    throw new ServerError("The server does not answer. Is it still running?");
  } finally {
    work(-1);
  }
}

function refusal(response, text) {
  const retry = Number(response.headers.get("Retry-After")) || 0;
  let said = `The server answered ${response.status}.`;
  try {
    said = JSON.parse(text).error ?? said;
  } catch {
    // something between us and the server answered in its own way
  }
  return new ServerError(String(said), response.status, retry);
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

  start(doing, pause = 0) {
    this.stop();
    work(1);
    const controller = (this.controller = new AbortController());
    const isLatest = () => this.controller === controller;
    const attempt = async () => {
      const late = setTimeout(() => isLatest() && this.slow(), SLOW);
      try {
        const answer = await doing(controller.signal);
        if (isLatest()) this.done(answer);
      } catch (error) {
        if (!isLatest()) return;
        this.failed(error);
        if (error.retry) {
          this.timer = setTimeout(attempt, 1000 * error.retry);
          return;
        }
      } finally {
        clearTimeout(late);
      }
      if (isLatest()) this.stop();
    };
    this.timer = setTimeout(attempt, pause);
  }

  stop() {
    if (!this.controller) return;
    clearTimeout(this.timer);
    this.controller.abort();
    this.controller = null;
    work(-1);
  }
}
