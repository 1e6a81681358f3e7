# A worker in the place of a service: the package as a bundler hands it over, the data, and the test.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "results.mjs", esModule = embed "results.mjs"),
    (name = "blockmark", esModule = embed "blockmark.js"),
    (name = "conformance.json", json = embed "conformance.json"),
  ],
  compatibilityDate = "2026-01-01",
);
