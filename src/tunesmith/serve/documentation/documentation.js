// Shows /openapi.json, and lets a reader try every address.

const make = (tag, attributes = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
};

// A schema as an example of its shape.
const shape = (schema, all, depth = 0) => {
  if (!schema) return null;
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    return depth > 9 ? name : shape(all[name], all, depth + 1);
  }
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => shape(one, all, depth + 1))[0];
  if (schema.type === "array") return schema.items ? [shape(schema.items, all, depth + 1)] : [];
  if (schema.type === "object") {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, one]) => [name, shape(one, all, depth + 1)]));
  }
  return schema.description ? `${schema.type}: ${schema.description}` : schema.type;
};

const written = (value) => JSON.stringify(value, null, 2);

// A form that sends what the reader wrote, and shows what comes back.
const trial = (path, method, example) => {
  const result = make("pre", { hidden: true });
  result.setAttribute("aria-live", "polite");
  const body = make("textarea", { value: written(example), spellcheck: false });
  body.setAttribute("aria-label", `body of ${method} ${path}`);
  const button = make("button", { type: "button", textContent: "Try it" });
  button.addEventListener("click", async () => {
    const options = method === "POST"
      ? { method, body: body.value, headers: { "Content-Type": "application/json" } }
      : { method };
    try {
      const answer = await fetch(path, options);
      const text = await answer.text();
      const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
      result.textContent = `${answer.status}\n${isJson ? written(JSON.parse(text)) : text}`;
    } catch (error) {
      result.textContent = String(error);
    }
    result.hidden = false;
  });
  return make("div", {}, ...(method === "POST" ? [body] : []), button, result);
};

const address = (path, method, said, all) => {
  const block = make("details", {}, make("summary", {},
    make("span", { className: "method", textContent: method }),
    make("code", { textContent: path }), ` ${said.summary}`));
  const asked = said.requestBody?.content["application/json"].schema;
  const named = asked?.$ref ? all[asked.$ref.split("/").at(-1)] : asked;
  if (asked) block.append(make("h3", { textContent: "Body" }), make("pre", { textContent: written(shape(asked, all)) }));
  if (said.parameters) {
    const names = said.parameters.map((one) => one.name + (one.required ? "" : " (optional)"));
    block.append(make("p", { textContent: `Parameters: ${names.join(", ")}` }));
  }
  const answer = said.responses["200"].content["application/json"]?.schema;
  if (answer) block.append(make("h3", { textContent: "Answer" }), make("pre", { textContent: written(shape(answer, all)) }));
  const errors = Object.keys(said.responses).filter((status) => status !== "200");
  if (errors.length) block.append(make("p", { textContent: `Refused with: ${errors.join(", ")}, and {"error": "one line"}` }));
  if (method === "POST" || !said.parameters) {
    const needed = Object.fromEntries((named?.required ?? []).map((name) => [name, ""]));
    block.append(trial(path, method, named?.example ?? needed));
  }
  return block;
};

const described = await (await fetch("/openapi.json")).json();
const all = described.components.schemas;
document.getElementById("title").textContent = `${described.info.title} ${described.info.version}`;
document.getElementById("about").textContent = described.info.description;
const main = document.getElementById("addresses");
for (const { name, description } of described.tags) {
  main.append(make("h2", { textContent: name }), make("p", { textContent: description }));
  for (const [path, methods] of Object.entries(described.paths))
    for (const [method, said] of Object.entries(methods))
      if (said.tags.includes(name)) main.append(address(path, method.toUpperCase(), said, all));
}
