// SPDX-License-Identifier: MIT
import java.io.File;
import java.io.FileOutputStream;
import java.util.Collections;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.xml.XMLFormatter;

/** Report EXEC-FILE CLASSES XML-FILE, without what differs from run to run. */
public class Report {
    public static void main(String[] args) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new File(args[0]));
        CoverageBuilder builder = new CoverageBuilder();
        new Analyzer(loader.getExecutionDataStore(), builder)
            .analyzeAll(new File(args[1]));
        try (FileOutputStream out = new FileOutputStream(args[2])) {
            IReportVisitor visitor = new XMLFormatter().createVisitor(out);
            visitor.visitInfo(Collections.emptyList(), Collections.emptyList());
            visitor.visitBundle(builder.getBundle("coverage"), null);
            visitor.visitEnd();
        }
    }
}
