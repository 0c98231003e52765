# loses obsolete: takes each method of the class for obsolete
s/obsolete ? "obsolete" : "current"/signature[1] == 'H' ? "obsolete" : "current"/
