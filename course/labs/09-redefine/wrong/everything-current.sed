# loses obsolete: does not ask whether a method is obsolete
s/obsolete ? "obsolete" : "current"/"current"/
